/** The notice that the engine is being compiled: it goes when that has ended. Loaded only by a page that has it. */
import { toast } from "./kit.js";

const EVERY_MS = 3000;

async function look() {
  const said = await fetch("/alive").then(
    (answer) => answer.text(),
    () => "",
  ); // "" while the server is away
  if (!said || said.includes("being compiled")) return setTimeout(look, EVERY_MS);
  document.getElementById("compiling")?.remove();
  if (said.includes("engine compiled")) toast("The engine is compiled. Runs that you open from now on are fast.");
  return undefined;
}

look();
