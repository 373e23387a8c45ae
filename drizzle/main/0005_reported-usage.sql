CREATE TABLE `usage_report_series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`is_level` integer NOT NULL,
	`total` text NOT NULL,
	`reports` integer NOT NULL,
	`last_report_id` text NOT NULL,
	`last_set_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_report_series_of` ON `usage_report_series` (`feature_id`,`customer_id`,`resource_ref`);--> statement-breakpoint
CREATE TABLE `usage_report_totals` (
	`series_id` integer NOT NULL,
	`span` integer NOT NULL,
	`bucket` integer NOT NULL,
	`total` text NOT NULL,
	`moment` text NOT NULL,
	`reports` integer NOT NULL,
	PRIMARY KEY(`series_id`, `span`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`series_id` integer NOT NULL,
	`at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`delta` text NOT NULL,
	`behavior` text NOT NULL,
	`value` text NOT NULL,
	`idempotency_key` text,
	`dimensions` text,
	`reservation_id` text,
	FOREIGN KEY (`series_id`) REFERENCES `usage_report_series`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `usage_reports_time` ON `usage_reports` (`series_id`,`at`);--> statement-breakpoint
CREATE INDEX `usage_reports_set` ON `usage_reports` (`series_id`,`at`) WHERE behavior = 'SET';--> statement-breakpoint
CREATE UNIQUE INDEX `usage_reports_key` ON `usage_reports` (`series_id`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
CREATE TABLE `usage_reservations` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`amount` text NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer NOT NULL,
	`idempotency_key` text,
	`committed_amount` text,
	`report_id` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `usage_reservations_held` ON `usage_reservations` (`customer_id`,`feature_id`,`resource_ref`,`expires_at`) WHERE state = 'HELD';--> statement-breakpoint
CREATE UNIQUE INDEX `usage_reservations_key` ON `usage_reservations` (`customer_id`,`feature_id`,`resource_ref`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
CREATE TABLE `main_revision` (
	`id` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `features` ADD `billed_usage` text;--> statement-breakpoint
ALTER TABLE `subscription_usage_bills` ADD `averaged_over_ms` integer;