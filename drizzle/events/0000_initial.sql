CREATE TABLE `event_commits` (
	`first_event` integer PRIMARY KEY NOT NULL,
	`fingerprints` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_customers` (
	`id` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_ref` text NOT NULL,
	`customer_id` text
);
--> statement-breakpoint
CREATE INDEX `event_customers_ref` ON `event_customers` (`environment_id`,`customer_ref`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY NOT NULL,
	`customer` integer NOT NULL,
	`resource_ref` text,
	`event_name` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`at` integer NOT NULL,
	`dimensions` text
);
