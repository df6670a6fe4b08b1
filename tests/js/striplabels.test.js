import assert from "node:assert/strict";
import { test } from "node:test";
import { LETTER_PX, stripFor, windowOf, xOf } from "../../static/js/run/layout.js";
import { LABEL_GAP, LABEL_GAP_PHONE, labelsOf } from "../../static/js/stage/striplabels.js";
import { emptyView } from "./generator.js";

/** Labels of a copy whose watermark and log end are these, in a row whose furthest copy ends at `end`. */
function labels(hw, leo, end, width, phone) {
  const partition = {
    ...emptyView().partitions[0],
    copies: { 1: { hw, leo, start: 0 }, 2: { hw: end, leo: end, start: 0 } },
  };
  const strip = stripFor(width, 90, phone, String(end).length);
  const tokens = windowOf(partition, strip.slots);
  return { strip, ...labelsOf({ hw, leo, hwX: xOf(tokens, strip, hw), endX: xOf(tokens, strip, leo) }, strip, width) };
}

test("the labels of high watermark and log end stand apart and inside the cell at every offset and width", () => {
  for (const phone of [false, true]) {
    for (let width = phone ? 100 : 110; width <= 420; width += 9) {
      for (const end of [3, 19, 98, 497, 1004, 9999, 12_345, 1_234_567]) {
        for (let behind = 0; behind < 14 && behind <= end; behind++) {
          const { strip, hw, leo } = labels(end - behind, end, end, width, phone);
          const place = `${phone} ${width} ${end} ${behind}`;
          assert.ok(hw.left >= strip.pad - 1, place);
          assert.ok(leo.left + leo.text.length * LETTER_PX <= width - strip.pad + 1, place);
          assert.ok(
            leo.left - (hw.left + hw.text.length * LETTER_PX) >= (phone ? LABEL_GAP_PHONE : LABEL_GAP) - 1.5,
            place,
          );
        }
      }
    }
  }
});

test("a label stands at its mark where there is room, and keeps its name as long as it can", () => {
  const { hw, leo } = labels(5, 9, 40, 400, false);
  assert.deepEqual([hw.text, leo.text], ["HW 5", "LEO 9"]);
  const narrow = labels(12_345, 12_345, 12_345, 104, true);
  assert.deepEqual([narrow.hw.text, narrow.leo.text], ["12345", "12345"]);
});
