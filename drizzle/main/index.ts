// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/migrate";
import step0 from "./0000_initial.sql" with { type: "text" };
import step1 from "./0001_lifecycle.sql" with { type: "text" };
import step2 from "./0002_first_trial.sql" with { type: "text" };
import step3 from "./0003_flat.sql" with { type: "text" };
import step4 from "./0004_charge-ids.sql" with { type: "text" };
import step5 from "./0005_reported-usage.sql" with { type: "text" };
import step6 from "./0006_usage-alerts.sql" with { type: "text" };
import step7 from "./0007_reservations-of-customer.sql" with { type: "text" };
import step8 from "./0008_entitlements-changed.sql" with { type: "text" };
import step9 from "./0009_credits.sql" with { type: "text" };
import step10 from "./0010_credit-consumptions-waiting.sql" with { type: "text" };
import step11 from "./0011_credit-revenue.sql" with { type: "text" };
import step12 from "./0012_credit-draws.sql" with { type: "text" };
import step13 from "./0013_recurring-credits.sql" with { type: "text" };
import step14 from "./0014_credit-recharge-threshold.sql" with { type: "text" };
import step15 from "./0015_contract-states.sql" with { type: "text" };
import step16 from "./0016_invoice-payments.sql" with { type: "text" };
import step17 from "./0017_invoice-lists.sql" with { type: "text" };
import step18 from "./0018_legal-entities.sql" with { type: "text" };
import step19 from "./0019_contract-billing.sql" with { type: "text" };
import step20 from "./0020_credit-events.sql" with { type: "text" };
import step21 from "./0021_issuers-named.sql" with { type: "text" };
import step22 from "./0022_balance-alerts-and-credit-note-parts.sql" with { type: "text" };
import step23 from "./0023_published-for.sql" with { type: "text" };
import step24 from "./0024_documents-and-renewals.sql" with { type: "text" };
import step25 from "./0025_contract-amendments.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_initial", sql: step0 },
	{ name: "0001_lifecycle", sql: step1 },
	{ name: "0002_first_trial", sql: step2 },
	{ name: "0003_flat", sql: step3 },
	{ name: "0004_charge-ids", sql: step4 },
	{ name: "0005_reported-usage", sql: step5 },
	{ name: "0006_usage-alerts", sql: step6 },
	{ name: "0007_reservations-of-customer", sql: step7 },
	{ name: "0008_entitlements-changed", sql: step8 },
	{ name: "0009_credits", sql: step9 },
	{ name: "0010_credit-consumptions-waiting", sql: step10 },
	{ name: "0011_credit-revenue", sql: step11 },
	{ name: "0012_credit-draws", sql: step12 },
	{ name: "0013_recurring-credits", sql: step13 },
	{ name: "0014_credit-recharge-threshold", sql: step14 },
	{ name: "0015_contract-states", sql: step15 },
	{ name: "0016_invoice-payments", sql: step16 },
	{ name: "0017_invoice-lists", sql: step17 },
	{ name: "0018_legal-entities", sql: step18 },
	{ name: "0019_contract-billing", sql: step19 },
	{ name: "0020_credit-events", sql: step20 },
	{ name: "0021_issuers-named", sql: step21 },
	{ name: "0022_balance-alerts-and-credit-note-parts", sql: step22 },
	{ name: "0023_published-for", sql: step23 },
	{ name: "0024_documents-and-renewals", sql: step24 },
	{ name: "0025_contract-amendments", sql: step25 },
];
