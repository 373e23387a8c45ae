// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/migrate";
import step0 from "./0000_initial.sql" with { type: "text" };
import step1 from "./0001_lifecycle.sql" with { type: "text" };
import step2 from "./0002_indexes.sql" with { type: "text" };
import step3 from "./0003_caller_of_idempotency_key.sql" with { type: "text" };
import step4 from "./0004_environment_currency.sql" with { type: "text" };
import step5 from "./0005_usage_of_closed_periods.sql" with { type: "text" };
import step6 from "./0006_task_errors.sql" with { type: "text" };
import step7 from "./0007_allowed_origins.sql" with { type: "text" };
import step8 from "./0008_running_subscriptions_of_versions.sql" with { type: "text" };
import step9 from "./0009_customers_of_coupons.sql" with { type: "text" };
import step10 from "./0010_due_step_problems.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_initial", sql: step0 },
	{ name: "0001_lifecycle", sql: step1 },
	{ name: "0002_indexes", sql: step2 },
	{ name: "0003_caller_of_idempotency_key", sql: step3 },
	{ name: "0004_environment_currency", sql: step4 },
	{ name: "0005_usage_of_closed_periods", sql: step5 },
	{ name: "0006_task_errors", sql: step6 },
	{ name: "0007_allowed_origins", sql: step7 },
	{ name: "0008_running_subscriptions_of_versions", sql: step8 },
	{ name: "0009_customers_of_coupons", sql: step9 },
	{ name: "0010_due_step_problems", sql: step10 },
];
