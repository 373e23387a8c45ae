// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/storage/migrate";
import step0 from "./0000_initial.sql" with { type: "text" };
import step1 from "./0001_lifecycle.sql" with { type: "text" };
import step2 from "./0002_first_trial.sql" with { type: "text" };
import step3 from "./0003_flat.sql" with { type: "text" };
import step4 from "./0004_charge-ids.sql" with { type: "text" };
import step5 from "./0005_reported-usage.sql" with { type: "text" };
import step6 from "./0006_usage-alerts.sql" with { type: "text" };
import step7 from "./0007_credits-contracts-invoices.sql" with { type: "text" };
import step8 from "./0008_feature-groups.sql" with { type: "text" };
import step9 from "./0009_draft-invoices.sql" with { type: "text" };
import step10 from "./0010_api-keys.sql" with { type: "text" };
import step11 from "./0011_tax-conversion.sql" with { type: "text" };
import step12 from "./0012_environments.sql" with { type: "text" };
import step13 from "./0013_wording.sql" with { type: "text" };
import step14 from "./0014_contracts-of-before.sql" with { type: "text" };
import step15 from "./0015_outbox-and-webhooks.sql" with { type: "text" };
import step16 from "./0016_contract-items-taken-out.sql" with { type: "text" };
import step17 from "./0017_people.sql" with { type: "text" };
import step18 from "./0018_replaced-subscriptions.sql" with { type: "text" };
import step19 from "./0019_tasks-listed.sql" with { type: "text" };
import step20 from "./0020_notices.sql" with { type: "text" };
import step21 from "./0021_sign-in.sql" with { type: "text" };
import step22 from "./0022_search.sql" with { type: "text" };
import step23 from "./0023_portal.sql" with { type: "text" };
import step24 from "./0024_identity-providers.sql" with { type: "text" };
import step25 from "./0025_overview.sql" with { type: "text" };
import step26 from "./0026_timeline.sql" with { type: "text" };
import step27 from "./0027_audit-log.sql" with { type: "text" };
import step28 from "./0028_erasures.sql" with { type: "text" };
import step29 from "./0029_provided-members.sql" with { type: "text" };
import step30 from "./0030_catalogue-search.sql" with { type: "text" };
import step31 from "./0031_invoiced-by.sql" with { type: "text" };
import step32 from "./0032_what-ends-soon.sql" with { type: "text" };
import step33 from "./0033_seals.sql" with { type: "text" };
import step34 from "./0034_task_crashes.sql" with { type: "text" };
import step35 from "./0035_canceled-by-customer.sql" with { type: "text" };
import step36 from "./0036_invoicing-terms.sql" with { type: "text" };
import step37 from "./0037_marks.sql" with { type: "text" };
import step38 from "./0038_packed-ids.sql" with { type: "text" };
import step39 from "./0039_audit-serials.sql" with { type: "text" };
import step40 from "./0040_billing-charges.sql" with { type: "text" };
import step41 from "./0041_contracts-on-charges.sql" with { type: "text" };
import step42 from "./0042_usage-on-charges.sql" with { type: "text" };
import step43 from "./0043_budgets.sql" with { type: "text" };
import step44 from "./0044_charges-in-advance.sql" with { type: "text" };
import step45 from "./0045_charged-in-rows.sql" with { type: "text" };
import step46 from "./0046_events-at-budgets.sql" with { type: "text" };
import step47 from "./0047_proration-modes.sql" with { type: "text" };
import step48 from "./0048_time.sql" with { type: "text" };
import step49 from "./0049_sorted-tree-of-budgets.sql" with { type: "text" };
import step50 from "./0050_trial-usage.sql" with { type: "text" };
import step51 from "./0051_usage-terms.sql" with { type: "text" };
import step52 from "./0052_taxes.sql" with { type: "text" };
import step53 from "./0053_anchors.sql" with { type: "text" };
import step54 from "./0054_budgets-of-runs.sql" with { type: "text" };
import step55 from "./0055_allocated-budgets.sql" with { type: "text" };
import step56 from "./0056_budget-requests.sql" with { type: "text" };
import step57 from "./0057_payment-time.sql" with { type: "text" };
import step58 from "./0058_coupons.sql" with { type: "text" };
import step59 from "./0059_pause_subscriptions.sql" with { type: "text" };
import step60 from "./0060_coupon_uses.sql" with { type: "text" };
import step61 from "./0061_portal_delegation.sql" with { type: "text" };
import step62 from "./0062_budget_templates.sql" with { type: "text" };
import step63 from "./0063_budget_approvers.sql" with { type: "text" };
import step64 from "./0064_phases.sql" with { type: "text" };
import step65 from "./0065_free_units.sql" with { type: "text" };
import step66 from "./0066_spend_thresholds.sql" with { type: "text" };
import step67 from "./0067_parents.sql" with { type: "text" };
import step68 from "./0068_dated_changes.sql" with { type: "text" };
import step69 from "./0069_phases.sql" with { type: "text" };
import step70 from "./0070_events_charged.sql" with { type: "text" };
import step71 from "./0071_child_usage.sql" with { type: "text" };
import step72 from "./0072_terms.sql" with { type: "text" };
import step73 from "./0073_billing_currency.sql" with { type: "text" };
import step74 from "./0074_commitments.sql" with { type: "text" };
import step75 from "./0075_agreed_prices.sql" with { type: "text" };
import step76 from "./0076_invoice_grouping.sql" with { type: "text" };
import step77 from "./0077_receipts.sql" with { type: "text" };
import step78 from "./0078_payments-as-allocations.sql" with { type: "text" };
import step79 from "./0079_receipt_sources.sql" with { type: "text" };
import step80 from "./0080_receipts_of_a_kind.sql" with { type: "text" };
import step81 from "./0081_subscriptions_payer_due.sql" with { type: "text" };
import step82 from "./0082_dunning.sql" with { type: "text" };
import step83 from "./0083_disputes.sql" with { type: "text" };
import step84 from "./0084_payment_attempts.sql" with { type: "text" };
import step85 from "./0085_bank_statements.sql" with { type: "text" };
import step86 from "./0086_removed-payment-methods.sql" with { type: "text" };
import step87 from "./0087_provider_events.sql" with { type: "text" };
import step88 from "./0088_dunning-retries.sql" with { type: "text" };
import step89 from "./0089_provider_disputes.sql" with { type: "text" };
import step90 from "./0090_dunning_removed.sql" with { type: "text" };
import step91 from "./0091_direct-debit.sql" with { type: "text" };
import step92 from "./0092_provider_refunds.sql" with { type: "text" };
import step93 from "./0093_attempts-under-way.sql" with { type: "text" };
import { move as move44 } from "./0044_charges-in-advance";
import { move as move77 } from "./0077_receipts";
import whole from "./whole.sql" with { type: "text" };

export const migrations: readonly Migration[] = [
	{ name: "0000_initial", sql: step0 },
	{ name: "0001_lifecycle", sql: step1 },
	{ name: "0002_first_trial", sql: step2 },
	{ name: "0003_flat", sql: step3 },
	{ name: "0004_charge-ids", sql: step4 },
	{ name: "0005_reported-usage", sql: step5 },
	{ name: "0006_usage-alerts", sql: step6 },
	{ name: "0007_credits-contracts-invoices", sql: step7 },
	{ name: "0008_feature-groups", sql: step8 },
	{ name: "0009_draft-invoices", sql: step9 },
	{ name: "0010_api-keys", sql: step10 },
	{ name: "0011_tax-conversion", sql: step11 },
	{ name: "0012_environments", sql: step12 },
	{ name: "0013_wording", sql: step13 },
	{ name: "0014_contracts-of-before", sql: step14 },
	{ name: "0015_outbox-and-webhooks", sql: step15 },
	{ name: "0016_contract-items-taken-out", sql: step16 },
	{ name: "0017_people", sql: step17 },
	{ name: "0018_replaced-subscriptions", sql: step18 },
	{ name: "0019_tasks-listed", sql: step19 },
	{ name: "0020_notices", sql: step20 },
	{ name: "0021_sign-in", sql: step21 },
	{ name: "0022_search", sql: step22 },
	{ name: "0023_portal", sql: step23 },
	{ name: "0024_identity-providers", sql: step24 },
	{ name: "0025_overview", sql: step25 },
	{ name: "0026_timeline", sql: step26 },
	{ name: "0027_audit-log", sql: step27 },
	{ name: "0028_erasures", sql: step28 },
	{ name: "0029_provided-members", sql: step29 },
	{ name: "0030_catalogue-search", sql: step30 },
	{ name: "0031_invoiced-by", sql: step31 },
	{ name: "0032_what-ends-soon", sql: step32 },
	{ name: "0033_seals", sql: step33 },
	{ name: "0034_task_crashes", sql: step34 },
	{ name: "0035_canceled-by-customer", sql: step35 },
	{ name: "0036_invoicing-terms", sql: step36 },
	{ name: "0037_marks", sql: step37 },
	{ name: "0038_packed-ids", sql: step38 },
	{ name: "0039_audit-serials", sql: step39 },
	{ name: "0040_billing-charges", sql: step40 },
	{ name: "0041_contracts-on-charges", sql: step41 },
	{ name: "0042_usage-on-charges", sql: step42 },
	{ name: "0043_budgets", sql: step43 },
	{ name: "0044_charges-in-advance", sql: step44, move: move44 },
	{ name: "0045_charged-in-rows", sql: step45 },
	{ name: "0046_events-at-budgets", sql: step46 },
	{ name: "0047_proration-modes", sql: step47 },
	{ name: "0048_time", sql: step48 },
	{ name: "0049_sorted-tree-of-budgets", sql: step49 },
	{ name: "0050_trial-usage", sql: step50 },
	{ name: "0051_usage-terms", sql: step51 },
	{ name: "0052_taxes", sql: step52 },
	{ name: "0053_anchors", sql: step53 },
	{ name: "0054_budgets-of-runs", sql: step54 },
	{ name: "0055_allocated-budgets", sql: step55 },
	{ name: "0056_budget-requests", sql: step56 },
	{ name: "0057_payment-time", sql: step57 },
	{ name: "0058_coupons", sql: step58 },
	{ name: "0059_pause_subscriptions", sql: step59 },
	{ name: "0060_coupon_uses", sql: step60 },
	{ name: "0061_portal_delegation", sql: step61 },
	{ name: "0062_budget_templates", sql: step62 },
	{ name: "0063_budget_approvers", sql: step63 },
	{ name: "0064_phases", sql: step64 },
	{ name: "0065_free_units", sql: step65 },
	{ name: "0066_spend_thresholds", sql: step66 },
	{ name: "0067_parents", sql: step67 },
	{ name: "0068_dated_changes", sql: step68 },
	{ name: "0069_phases", sql: step69 },
	{ name: "0070_events_charged", sql: step70 },
	{ name: "0071_child_usage", sql: step71 },
	{ name: "0072_terms", sql: step72 },
	{ name: "0073_billing_currency", sql: step73 },
	{ name: "0074_commitments", sql: step74 },
	{ name: "0075_agreed_prices", sql: step75 },
	{ name: "0076_invoice_grouping", sql: step76 },
	{ name: "0077_receipts", sql: step77, move: move77 },
	{ name: "0078_payments-as-allocations", sql: step78 },
	{ name: "0079_receipt_sources", sql: step79 },
	{ name: "0080_receipts_of_a_kind", sql: step80 },
	{ name: "0081_subscriptions_payer_due", sql: step81 },
	{ name: "0082_dunning", sql: step82 },
	{ name: "0083_disputes", sql: step83 },
	{ name: "0084_payment_attempts", sql: step84 },
	{ name: "0085_bank_statements", sql: step85 },
	{ name: "0086_removed-payment-methods", sql: step86 },
	{ name: "0087_provider_events", sql: step87 },
	{ name: "0088_dunning-retries", sql: step88 },
	{ name: "0089_provider_disputes", sql: step89 },
	{ name: "0090_dunning_removed", sql: step90 },
	{ name: "0091_direct-debit", sql: step91 },
	{ name: "0092_provider_refunds", sql: step92 },
	{ name: "0093_attempts-under-way", sql: step93, whole },
];
