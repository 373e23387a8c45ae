// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/migrate";
import step0 from "./0000_outbox-and-webhooks.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_outbox-and-webhooks", sql: step0 },
];
