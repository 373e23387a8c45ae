CREATE TABLE `customer_balance_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency` text NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance` text NOT NULL,
	`invoice_id` text,
	`credit_note_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_balance_entries_sequence` ON `customer_balance_entries` (`environment_id`,`customer_id`,`currency`,`sequence`);--> statement-breakpoint
CREATE TABLE `subscription_unspent_minimums` (
	`subscription_id` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`subscription_id`, `period_start`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `subscription_usage_marks` (
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`feature_id` text NOT NULL,
	`closed_until` integer NOT NULL,
	`events` integer NOT NULL,
	`meter_id` text,
	PRIMARY KEY(`subscription_id`, `kind`, `feature_id`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `subscription_usage_prices` (
	`environment_id` text NOT NULL,
	`id` text NOT NULL,
	`prices` text NOT NULL,
	PRIMARY KEY(`environment_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `task_errors` (
	`task_id` text NOT NULL,
	`position` integer NOT NULL,
	`item_id` text NOT NULL,
	`error` text NOT NULL,
	PRIMARY KEY(`task_id`, `position`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_errors_item` ON `task_errors` (`task_id`,`item_id`);--> statement-breakpoint
DROP INDEX `subscriptions_version`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `cancel_prorates` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `problem` text;--> statement-breakpoint
CREATE INDEX `subscriptions_problem` ON `subscriptions` (`environment_id`,`id`) WHERE problem IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`environment_id`,`status`,`id`,`runs_until`,`cancel_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_version` ON `subscriptions` (`version_id`,`status`,`billing_period`,`billing_country_code`,`runs_until`,`environment_id`);--> statement-breakpoint
ALTER TABLE `environments` ADD `allowed_origins` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `default_currency` text DEFAULT 'usd' NOT NULL;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `to_balance` text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `balance_applied` text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `window_end` integer;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `events` integer;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `prices_id` text;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `caller_id` text;--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `customers_shown` ON `customers` (`environment_id`,`id`) WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX `customers_coupon` ON `customers` (`coupon_id`,`id`) WHERE coupon_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_feature` ON `charges` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_credit` ON `charges` (`credit_currency_id`) WHERE credit_currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_top_up` ON `charges` (`top_up_currency_id`) WHERE top_up_currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_overage` ON `charges` (`overage_currency_id`) WHERE overage_currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_entitlements_of_feature` ON `package_entitlements` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_entitlements_of_currency` ON `package_entitlements` (`currency_id`) WHERE currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_entitlements_dependency` ON `package_entitlements` (`dependency_feature_id`) WHERE dependency_feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_versions_environment` ON `package_versions` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscription_entitlements_feature` ON `subscription_entitlements` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_entitlements_currency` ON `subscription_entitlements` (`currency_id`) WHERE currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_quantities_feature` ON `subscription_quantities` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_quantities_currency` ON `subscription_quantities` (`currency_id`) WHERE currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_version_changes_from` ON `subscription_version_changes` (`from_version_id`);--> statement-breakpoint
CREATE INDEX `subscription_version_changes_to` ON `subscription_version_changes` (`to_version_id`);--> statement-breakpoint
CREATE INDEX `subscription_version_changes_package` ON `subscription_version_changes` (`package_id`);--> statement-breakpoint
CREATE INDEX `tasks_ended` ON `tasks` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
INSERT INTO task_errors (task_id, position, item_id, error) SELECT tasks.id, json_each.key, json_each.value ->> '$.id', json_each.value ->> '$.error' FROM tasks, json_each(tasks.errors);--> statement-breakpoint
ALTER TABLE `tasks` DROP COLUMN `errors`;