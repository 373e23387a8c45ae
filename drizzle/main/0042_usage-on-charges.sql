ALTER TABLE `charge_periods` ADD `averaged_over_ms` integer;--> statement-breakpoint
-- A window that nobody bills belongs to the newest charge of its key.
CREATE TABLE `billed_windows` AS
SELECT *, coalesce(prices_id, first_value(prices_id) OVER (PARTITION BY subscription_id, kind, feature_id ORDER BY prices_id IS NULL, window_start DESC)) AS priced_by
FROM subscription_usage_bills;
--> statement-breakpoint
-- The windows of a key at the same prices become one charge. A key can be marked without windows.
CREATE TABLE `usage_charges` AS
SELECT made.*, substr(subscription_id, 1, 24) || lower(hex(randomblob(6))) AS charge_id,
	row_number() OVER (PARTITION BY subscription_id, kind, feature_id ORDER BY priced_by IS NULL, last_start DESC) = 1 AS is_current
FROM (
	SELECT subscription_id, kind, feature_id, priced_by, min(window_start) AS starts_at, max(window_start) AS last_start, min(updated_at) AS created_at, max(updated_at) AS updated_at
	FROM billed_windows GROUP BY subscription_id, kind, feature_id, priced_by
	UNION ALL
	SELECT subscription_id, kind, feature_id, NULL, closed_until, closed_until, subscriptions.updated_at, subscriptions.updated_at
	FROM subscription_usage_marks AS marks JOIN subscriptions ON subscriptions.id = subscription_id
	WHERE NOT EXISTS (SELECT 1 FROM billed_windows AS windows
		WHERE windows.subscription_id = marks.subscription_id AND windows.kind = marks.kind AND windows.feature_id = marks.feature_id)
) AS made;
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_charges_key` ON `usage_charges` (`subscription_id`, `kind`, `feature_id`, `priced_by`);
--> statement-breakpoint
INSERT INTO billing_charges (id, environment_id, owner_kind, owner_id, "key", terms, starts_at, ends_at, "interval", anchor_at, time_zone, proration_mode, payment_time,
	billed_until, usage_events, usage_meter_id, replaced_at, created_at, updated_at)
SELECT charge_id, subscriptions.environment_id, 'SUBSCRIPTION', made.subscription_id, made.kind || '/' || made.feature_id,
	iif(prices IS NULL, NULL, json_object('prices', json(prices))), starts_at, NULL,
	iif(made.kind = 'usage', json_object('unit', 'MONTH', 'count', iif(billing_period = 'ANNUALLY', 12, 1)), NULL),
	coalesce(billing_anchor_at, starts_at), 'UTC', 'NONE', 'IN_ARREARS',
	iif(is_current, closed_until, NULL), iif(is_current, events, NULL), iif(is_current, meter_id, NULL),
	iif(is_current, NULL, made.updated_at), made.created_at, made.updated_at
FROM usage_charges AS made JOIN subscriptions ON subscriptions.id = made.subscription_id
LEFT JOIN subscription_usage_prices AS priced ON priced.id = priced_by AND priced.environment_id = subscriptions.environment_id
LEFT JOIN subscription_usage_marks AS marks
	ON marks.subscription_id = made.subscription_id AND marks.kind = made.kind AND marks.feature_id = made.feature_id;
--> statement-breakpoint
-- The amounts of earlier bills are on their invoices only.
INSERT INTO charge_periods (charge_id, starts_at, revision, ends_at, environment_id, state, rated, usage_quantity, usage_events, averaged_over_ms, invoice_id, created_at)
SELECT charge_id, window_start, 0, coalesce(window_end, window_start), subscriptions.environment_id, iif(prices_id IS NULL, 'ELSEWHERE', 'BILLED'),
	'{"subTotal":"0","discount":"0","tax":"0","total":"0"}', quantity, iif(window_end IS NULL, NULL, events), averaged_over_ms, NULL, windows.updated_at
FROM billed_windows AS windows
JOIN usage_charges AS made ON made.subscription_id = windows.subscription_id AND made.kind = windows.kind AND made.feature_id = windows.feature_id
	AND made.priced_by IS windows.priced_by
JOIN subscriptions ON subscriptions.id = windows.subscription_id
ORDER BY charge_id, window_start;
--> statement-breakpoint
DROP TABLE `usage_charges`;
--> statement-breakpoint
DROP TABLE `billed_windows`;
--> statement-breakpoint
DROP TABLE `subscription_usage_bills`;--> statement-breakpoint
DROP TABLE `subscription_usage_marks`;--> statement-breakpoint
DROP TABLE `subscription_usage_prices`;
