CREATE TABLE `credit_event_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`taken_to` integer NOT NULL,
	`step_to` integer NOT NULL,
	`customer_to` integer NOT NULL,
	`canceled_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_event_draws` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`hour` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`after` integer NOT NULL,
	`up_to` integer NOT NULL,
	`pricing_id` text NOT NULL,
	`period_start` integer,
	`events` integer NOT NULL,
	`units` text,
	`amount` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credit_event_draws_of` ON `credit_event_draws` (`customer_id`,`hour`,`up_to`);--> statement-breakpoint
CREATE TABLE `credit_event_pricings` (
	`id` text PRIMARY KEY NOT NULL,
	`pricing` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_events_left` (
	`id` text PRIMARY KEY NOT NULL,
	`customer` integer NOT NULL,
	`after` integer NOT NULL,
	`up_to` integer NOT NULL,
	`attempts` integer NOT NULL,
	`retry_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credit_events_left_due` ON `credit_events_left` (`retry_at`);--> statement-breakpoint
DROP INDEX `credit_entries_dimensions`;--> statement-breakpoint
ALTER TABLE `credit_entries` ADD `events` integer;--> statement-breakpoint
CREATE INDEX `credit_entries_dimensions` ON `credit_entries` (`wallet_id`,`at`) WHERE dimensions is not null;