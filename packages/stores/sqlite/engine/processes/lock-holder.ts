// A process that holds the write lock of a database until its input ends: `lock-holder.ts <file>`. Prints when it holds it.
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[2] ?? "", { timeout: 5000 });
database.exec("BEGIN EXCLUSIVE");
console.log("held");
process.stdin.on("end", () => database.close()).resume();
