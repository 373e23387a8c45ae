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
ALTER TABLE `subscription_usage_bills` ADD `window_end` integer;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `events` integer;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `prices_id` text;