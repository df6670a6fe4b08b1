/** The picture of a moment as a file: the SVG that the site draws, and a PNG that this browser makes of it. */
import { toast } from "../kit/kit.js";
import { save } from "../kit/save.js";

const SCALE = 2;
const TOO_LARGE = "The picture is too large for this browser. Save it as SVG.";

/** The address of the picture in this page's theme. @param {string} base of the run @param {number} at us */
export const pictureAddress = (base, at) =>
  `${base}/still.svg?at_us=${at}&theme=${document.documentElement.dataset.theme === "dark" ? "dark" : "light"}`;

/** Save the picture as PNG. @param {string} address of the SVG @param {string} name of the file */
export async function savePng(address, name) {
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
  } catch {
    toast("The picture could not be drawn. Try again in a moment.");
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * SCALE;
  canvas.height = picture.naturalHeight * SCALE;
  const context = canvas.getContext("2d");
  if (!context) return toast(TOO_LARGE);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => (blob ? save(blob, name) : toast(TOO_LARGE)), "image/png");
}
