// Prints what the gallery's search finds for each query of a file: index, then queries, both JSON.
import { readFileSync } from "node:fs";
import { Search } from "../../static/js/library/search.js";

const [index, queries] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
const search = new Search(index);
console.log(JSON.stringify(Object.fromEntries(queries.map((query) => [query, search.find(query)]))));
