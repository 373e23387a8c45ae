// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/storage/migrate";
import step0 from "./0000_initial.sql" with { type: "text" };
import step1 from "./0001_event_blocks.sql" with { type: "text" };
import step2 from "./0002_events_own_life.sql" with { type: "text" };
import step3 from "./0003_event_archive.sql" with { type: "text" };
import step4 from "./0004_event_storage.sql" with { type: "text" };
import step5 from "./0005_replaced_objects.sql" with { type: "text" };
import step6 from "./0006_marks.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_initial", sql: step0 },
	{ name: "0001_event_blocks", sql: step1 },
	{ name: "0002_events_own_life", sql: step2 },
	{ name: "0003_event_archive", sql: step3 },
	{ name: "0004_event_storage", sql: step4 },
	{ name: "0005_replaced_objects", sql: step5 },
	{ name: "0006_marks", sql: step6 },
];
