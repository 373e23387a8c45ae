CREATE TABLE `budget_assignments` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`node_id` text NOT NULL,
	`scope` text NOT NULL,
	`usage_limit` text,
	`cadence` text NOT NULL,
	`anchor_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`node_id`) REFERENCES `budget_nodes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_assignments_of` ON `budget_assignments` (`node_id`,`scope`);--> statement-breakpoint
CREATE INDEX `budget_assignments_page` ON `budget_assignments` (`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `budget_counters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`assignment_id` text NOT NULL,
	`cadence` text NOT NULL,
	`window_start` integer NOT NULL,
	`window_end` integer NOT NULL,
	`used` text NOT NULL,
	`reserved` text NOT NULL,
	FOREIGN KEY (`assignment_id`) REFERENCES `budget_assignments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_counters_of` ON `budget_counters` (`assignment_id`,`window_start`,`cadence`);--> statement-breakpoint
CREATE INDEX `budget_counters_customer` ON `budget_counters` (`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `budget_entries` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`capability_id` text NOT NULL,
	`source_id` text NOT NULL,
	`amount` text NOT NULL,
	`counters` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `budget_entries_customer` ON `budget_entries` (`customer_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `budget_holds` (
	`reservation_id` text NOT NULL,
	`capability_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`amount` text NOT NULL,
	`expires_at` integer NOT NULL,
	`counters` text NOT NULL,
	PRIMARY KEY(`reservation_id`, `capability_id`)
);
--> statement-breakpoint
CREATE INDEX `budget_holds_expiry` ON `budget_holds` (`customer_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `budget_nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`capability` text NOT NULL,
	`capability_id` text NOT NULL,
	`parent_id` text,
	`ancestors` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`entity_id`) REFERENCES `entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_nodes_of` ON `budget_nodes` (`entity_id`,`capability_id`);--> statement-breakpoint
CREATE INDEX `budget_nodes_children` ON `budget_nodes` (`parent_id`);--> statement-breakpoint
CREATE INDEX `budget_nodes_customer` ON `budget_nodes` (`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `entities` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`type_id` text NOT NULL,
	`display_name` text,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`type_id`) REFERENCES `entity_types`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entities_ref` ON `entities` (`customer_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `entities_page` ON `entities` (`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `entity_types` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`attribution_keys` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entity_types_ref` ON `entity_types` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `entity_types_page` ON `entity_types` (`environment_id`,`id`);--> statement-breakpoint
ALTER TABLE `environments` ADD `governance` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_reservations` ADD `dimensions` text;