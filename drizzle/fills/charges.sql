-- Items as they were invoiced: while an amendment is open, those before it.
CREATE TABLE `invoiced_items` AS
SELECT id, environment_id, contract_id, pricing_model_id, "rows", discount, tax, currency, billing_cycle_unit AS unit, billing_cycle_count AS count,
	payment_time, prorate_cut_cycles, activation_start_at, activation_end_at, cycles_from, billed_until, usage_events, usage_meter_id, created_at, updated_at
FROM contract_items WHERE contract_id NOT IN (SELECT contract_id FROM contract_amendments)
UNION ALL
SELECT value ->> '$.id', value ->> '$.environmentId', value ->> '$.contractId', value ->> '$.pricingModelId', value -> '$.rows', value ->> '$.discount',
	value ->> '$.tax', value ->> '$.currency', value ->> '$.billingCycleUnit', value ->> '$.billingCycleCount', value ->> '$.paymentTime',
	value ->> '$.prorateCutCycles', value ->> '$.activationStartAt', value ->> '$.activationEndAt', value ->> '$.cyclesFrom', value ->> '$.billedUntil',
	value ->> '$.usageEvents', value ->> '$.usageMeterId', value ->> '$.createdAt', value ->> '$.updatedAt'
FROM contract_amendments, json_each(contract_amendments.items);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoiced_items_id` ON `invoiced_items` (`id`);
--> statement-breakpoint
-- Consecutive cycles of an item on the same terms become one charge. The terms of a fixed item are known since its last change.
CREATE TABLE `invoiced_cycles` AS
WITH priced AS (
	SELECT cycles.rowid AS cycle, item_id, cycle_start, CASE
		WHEN is_elsewhere THEN NULL
		WHEN terms IS NOT NULL THEN terms
		WHEN pricing_model_id NOT LIKE 'usage-%' AND items.updated_at < cycles.created_at THEN 'of the item'
		END AS priced_by
	FROM contract_billed_cycles AS cycles LEFT JOIN invoiced_items AS items ON items.id = item_id
),
marked AS (
	SELECT *, row_number() OVER by_time = 1 OR priced_by IS NOT lag(priced_by) OVER by_time AS is_first
	FROM priced WINDOW by_time AS (PARTITION BY item_id ORDER BY cycle_start)
)
SELECT cycle, item_id, priced_by, sum(is_first) OVER (PARTITION BY item_id ORDER BY cycle_start) AS charge FROM marked;
--> statement-breakpoint
CREATE TABLE `charges_of_cycles` AS
SELECT made.*, substr(item_id, 1, 24) || lower(hex(randomblob(6))) AS charge_id, charge = max(charge) OVER (PARTITION BY item_id) AS is_current,
	CASE WHEN priced_by = 'of the item' THEN json_object(
		'price', json_object('model', pricing_model_id, 'isPayAsYouGo', json('false'), 'rows', json("rows")),
		'unitTransformation', NULL, 'currency', currency,
		'discount', json(iif(discount IS NULL, 'null', json_object('percentOff', discount, 'amountsOff', NULL))),
		'taxPercentage', tax)
	WHEN priced_by IS NOT NULL THEN json_object(
		'price', json_object('model', replace(priced_by ->> '$.pricingModelId', 'usage-', ''), 'isPayAsYouGo', json('true'), 'rows', json(priced_by -> '$.rows')),
		'unitTransformation', json(coalesce(priced_by -> '$.unitTransformation', 'null')), 'currency', currency,
		'discount', json(iif(priced_by ->> '$.discount' IS NULL, 'null', json_object('percentOff', priced_by ->> '$.discount', 'amountsOff', NULL))),
		'taxPercentage', priced_by ->> '$.tax')
	END AS charge_terms
FROM (
	SELECT invoiced_cycles.item_id, charge, priced_by, cycles.environment_id, cycles.contract_id, min(cycles.cycle_start) AS starts_at, max(cycle_end) AS ends_at,
		min(cycles.created_at) AS created_at, max(cycles.created_at) AS updated_at
	FROM invoiced_cycles JOIN contract_billed_cycles AS cycles ON cycles.rowid = cycle GROUP BY invoiced_cycles.item_id, charge
) AS made LEFT JOIN invoiced_items ON invoiced_items.id = item_id;
--> statement-breakpoint
CREATE UNIQUE INDEX `charges_of_cycles_id` ON `charges_of_cycles` (`item_id`, `charge`);
--> statement-breakpoint
-- Also items that say how far they are invoiced, and have no cycles: nothing of them is invoiced again.
INSERT INTO billing_charges (id, environment_id, owner_kind, owner_id, "key", terms, starts_at, ends_at, "interval", anchor_at, time_zone, proration_mode, payment_time,
	billed_until, usage_events, usage_meter_id, replaced_at, created_at, updated_at)
SELECT charge_id, made.environment_id, 'CONTRACT', made.contract_id, item_id, charge_terms, starts_at, iif(is_current, coalesce(activation_end_at, ends_at), ends_at),
	CASE unit WHEN 'weekly' THEN json_object('unit', 'DAY', 'count', 7 * count) WHEN 'monthly' THEN json_object('unit', 'MONTH', 'count', count)
		WHEN 'quarterly' THEN json_object('unit', 'MONTH', 'count', 3 * count) WHEN 'yearly' THEN json_object('unit', 'MONTH', 'count', 12 * count) END,
	coalesce(cycles_from, activation_start_at, starts_at), 'UTC', iif(prorate_cut_cycles, 'BY_TIME', 'NONE'), coalesce(payment_time, 'IN_ARREARS'),
	iif(is_current, coalesce(billed_until, ends_at), ends_at), iif(is_current, usage_events, NULL), usage_meter_id,
	iif(is_current, NULL, made.updated_at), made.created_at, made.updated_at
FROM (
	SELECT item_id, charge_id, environment_id, contract_id, charge_terms, starts_at, ends_at, created_at, updated_at, is_current FROM charges_of_cycles
	UNION ALL
	SELECT id, substr(id, 1, 24) || lower(hex(randomblob(6))), environment_id, contract_id, NULL, coalesce(activation_start_at, billed_until),
		coalesce(activation_end_at, billed_until), created_at, updated_at, 1
	FROM invoiced_items WHERE billed_until IS NOT NULL AND id NOT IN (SELECT item_id FROM charges_of_cycles)
) AS made LEFT JOIN invoiced_items ON invoiced_items.id = item_id;
--> statement-breakpoint
INSERT INTO charge_periods (charge_id, starts_at, revision, ends_at, environment_id, state, rated, usage_quantity, usage_events, invoice_id, created_at)
SELECT charge_id, cycle_start, 0, cycle_end, cycles.environment_id, iif(is_elsewhere, 'ELSEWHERE', 'BILLED'), billed, quantity, events, invoice_id, cycles.created_at
FROM invoiced_cycles JOIN charges_of_cycles USING (item_id, charge) JOIN contract_billed_cycles AS cycles ON cycles.rowid = cycle
ORDER BY charge_id, cycle_start;
--> statement-breakpoint
DROP TABLE `charges_of_cycles`;
--> statement-breakpoint
DROP TABLE `invoiced_cycles`;
--> statement-breakpoint
DROP TABLE `invoiced_items`;
