// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/storage/migrate";
import step0 from "./0000_outbox-and-webhooks.sql" with { type: "text" };
import step1 from "./0001_deliveries_list.sql" with { type: "text" };
import step2 from "./0002_marks.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_outbox-and-webhooks", sql: step0 },
	{ name: "0001_deliveries_list", sql: step1 },
	{ name: "0002_marks", sql: step2 },
];
