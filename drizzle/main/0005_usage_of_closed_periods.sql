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
ALTER TABLE `credit_notes` ADD `to_balance` text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `balance_applied` text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `window_end` integer;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `events` integer;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `prices_id` text;