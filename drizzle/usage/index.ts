// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/storage/migrate";
import step0 from "./0000_initial.sql" with { type: "text" };
import step1 from "./0001_usage_cuts.sql" with { type: "text" };
import step2 from "./0002_plain_names.sql" with { type: "text" };
import step3 from "./0003_usage_rebuild.sql" with { type: "text" };
import step4 from "./0004_events_own_life.sql" with { type: "text" };
import step5 from "./0005_recent_counts.sql" with { type: "text" };
import step6 from "./0006_cancellations.sql" with { type: "text" };
import step7 from "./0007_times_of_pieces.sql" with { type: "text" };
import step8 from "./0008_recent_hours.sql" with { type: "text" };
import step9 from "./0009_recent_hours_alone.sql" with { type: "text" };
import step10 from "./0010_recent_at_once.sql" with { type: "text" };
import step11 from "./0011_recent_hours_gone.sql" with { type: "text" };
import step12 from "./0012_overview.sql" with { type: "text" };
import step13 from "./0013_erased_values.sql" with { type: "text" };
import step14 from "./0014_marks.sql" with { type: "text" };
import step15 from "./0015_subjects_of_early_events.sql" with { type: "text" };
import step16 from "./0016_segments.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_initial", sql: step0 },
	{ name: "0001_usage_cuts", sql: step1 },
	{ name: "0002_plain_names", sql: step2 },
	{ name: "0003_usage_rebuild", sql: step3 },
	{ name: "0004_events_own_life", sql: step4 },
	{ name: "0005_recent_counts", sql: step5 },
	{ name: "0006_cancellations", sql: step6 },
	{ name: "0007_times_of_pieces", sql: step7 },
	{ name: "0008_recent_hours", sql: step8 },
	{ name: "0009_recent_hours_alone", sql: step9 },
	{ name: "0010_recent_at_once", sql: step10 },
	{ name: "0011_recent_hours_gone", sql: step11 },
	{ name: "0012_overview", sql: step12 },
	{ name: "0013_erased_values", sql: step13 },
	{ name: "0014_marks", sql: step14 },
	{ name: "0015_subjects_of_early_events", sql: step15 },
	{ name: "0016_segments", sql: step16 },
];
