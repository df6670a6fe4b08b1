// Prints what the gallery's search finds for each query of a file: index, then queries, both JSON.
import { readFileSync } from "node:fs";
import { foundText, Search } from "../../static/js/library/search.js";

const [index, queries] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
const search = new Search(index);
const told = (query) => {
  const found = search.find(query);
  return [query, { ...found, text: foundText(query, found) }];
};
console.log(JSON.stringify(Object.fromEntries(queries.map(told))));
