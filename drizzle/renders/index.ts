// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/storage/migrate";
import step0 from "./0000_initial.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_initial", sql: step0 },
];
