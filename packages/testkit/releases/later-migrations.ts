// Preloaded, it makes the process a later version: each engine takes one migration more.
import { POSTGRES_MIGRATIONS } from "@stile/stores/postgres/schema/postgres-schema";
import { MIGRATIONS } from "@stile/stores/sqlite/schema/sqlite-schema";

(MIGRATIONS as string[]).push("CREATE TABLE later_table (id INTEGER PRIMARY KEY) STRICT;");
(POSTGRES_MIGRATIONS as string[]).push("CREATE TABLE later_table (id BIGINT PRIMARY KEY);");
