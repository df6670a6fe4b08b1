/**
 * The objects of an answer that holds one JSON object a line, each as soon as its line is complete.
 * @param {Response} answer
 * @returns {AsyncGenerator<any>}
 */
export async function* ndjson(answer) {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : /** @type {string} */ (lines.pop());
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
    if (done) return;
  }
}
