// A process that holds a database's write lock until its input ends: `lock-holder.ts <file>`. Prints when it has it.
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[2] ?? "", { timeout: 5000 });
database.exec("BEGIN EXCLUSIVE");
console.log("held");
process.stdin.on("end", () => database.close()).resume();
