CREATE TABLE `credit_note_lines` (
	`credit_note_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`description` text NOT NULL,
	`quantity` text,
	`unit_price` text,
	`tiers` text,
	`amount` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`tax_percentage` text,
	`period_start` integer,
	`period_end` integer,
	`product_ref_id` text,
	`feature_ref_id` text,
	`addon_ref_id` text,
	PRIMARY KEY(`credit_note_id`, `position`),
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `credit_note_sequences` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text,
	`contract_id` text,
	`invoice_id` text,
	`invoice_number` text,
	`reduces_due` integer NOT NULL,
	`number` text NOT NULL,
	`sequence` integer NOT NULL,
	`reason_code` text NOT NULL,
	`currency` text NOT NULL,
	`issued_at` integer NOT NULL,
	`period_start` integer,
	`period_end` integer,
	`sub_total` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`tax_percentage` text,
	`discount_label` text,
	`issuer` text NOT NULL,
	`customer` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_sequence` ON `credit_notes` (`environment_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `credit_notes_customer` ON `credit_notes` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `credit_notes_invoice` ON `credit_notes` (`environment_id`,`invoice_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `promotional_entitlements` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`usage_limit` text,
	`has_unlimited_usage` integer,
	`has_soft_limit` integer,
	`enum_values` text,
	`is_visible` integer NOT NULL,
	`period` text NOT NULL,
	`reset_period` text,
	`reset_anchor` text,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `promotional_entitlements_live` ON `promotional_entitlements` (`customer_id`,`feature_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `promotional_entitlements_page` ON `promotional_entitlements` (`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `plan_simulation_costs` (
	`plan_id` text NOT NULL,
	`simulation_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	`difference` text NOT NULL,
	`weight` real NOT NULL,
	PRIMARY KEY(`plan_id`, `simulation_id`, `subscription_id`, `currency`)
);
--> statement-breakpoint
CREATE INDEX `plan_simulation_costs_weight` ON `plan_simulation_costs` (`simulation_id`,`weight`);--> statement-breakpoint
CREATE TABLE `plan_simulation_failures` (
	`plan_id` text NOT NULL,
	`simulation_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`code` text NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`plan_id`, `simulation_id`, `subscription_id`)
);
--> statement-breakpoint
CREATE TABLE `plan_simulations` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`version_id` text NOT NULL,
	`version_number` integer NOT NULL,
	`terms` text NOT NULL,
	`start_at` integer,
	`end_at` integer,
	`after_id` text NOT NULL,
	`totals` text NOT NULL,
	`failures_count` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plan_simulations_plan` ON `plan_simulations` (`plan_id`);--> statement-breakpoint
CREATE TABLE `subscription_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`execute_at` integer NOT NULL,
	`changes` text NOT NULL,
	`invoice_id` text,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_updates_subscription` ON `subscription_updates` (`subscription_id`,`status`,`execute_at`);--> statement-breakpoint
CREATE INDEX `subscription_updates_invoice` ON `subscription_updates` (`invoice_id`);--> statement-breakpoint
CREATE TABLE `subscription_usage_bills` (
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`feature_id` text NOT NULL,
	`window_start` integer NOT NULL,
	`quantity` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `kind`, `feature_id`, `window_start`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `environments` ADD `billing_anchor` text DEFAULT 'SUBSCRIPTION_START' NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `clock_at` integer;--> statement-breakpoint
CREATE INDEX `environments_frozen` ON `environments` (`clock_at`) WHERE clock_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `payment_method_source` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `imported_as_of` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `usage_billed_from` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `usage_billed_until` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `usage_due_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `charged` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `prorations` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `next_due_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `next_update_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `runs_until` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `cancel_action` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `payment_due_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `supersedes_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `supersedes_as` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `trial_budget` text;--> statement-breakpoint
CREATE INDEX `subscriptions_place` ON `subscriptions` (`customer_id`,`status`,`product_id`,`resource_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_due` ON `subscriptions` (`environment_id`,`next_due_at`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer_due` ON `subscriptions` (`customer_id`,`next_due_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_supersedes` ON `subscriptions` (`supersedes_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_trial` ON `subscriptions` (`customer_id`,`product_id`) WHERE status = 'IN_TRIAL' AND resource_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_trial_resource` ON `subscriptions` (`customer_id`,`product_id`,`resource_id`) WHERE status = 'IN_TRIAL' AND resource_id IS NOT NULL;--> statement-breakpoint
-- What follows from rows that are there already: until when they run, when they renew. Usage is billed from now on.
UPDATE `subscriptions` SET
	`runs_until` = `end_at`,
	`next_due_at` = CASE
		WHEN `pricing_type` = 'PAID' AND coalesce(`payment_collection_method`, '') <> 'NONE'
		THEN coalesce(min(`billed_until`, `end_at`), `billed_until`, `end_at`)
		ELSE `end_at`
	END,
	`usage_billed_from` = CAST(unixepoch('subsec') * 1000 AS INTEGER)
WHERE `status` = 'ACTIVE';
