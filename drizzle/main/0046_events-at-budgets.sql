CREATE TABLE `budget_event_counts` (
	`entry` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`meter_id` text NOT NULL,
	`after` integer NOT NULL,
	`up_to` integer NOT NULL,
	`canceled_to` integer NOT NULL,
	`is_reversal` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`attribution` text NOT NULL,
	FOREIGN KEY (`entry`) REFERENCES `budget_entries`(`sequence`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `budget_event_counts_of` ON `budget_event_counts` (`customer_id`,`up_to`);--> statement-breakpoint
CREATE TABLE `budget_event_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`counted_to` integer NOT NULL,
	`canceled_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `budget_event_meters` (
	`id` text PRIMARY KEY NOT NULL,
	`definition` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `budget_nodes_capability` ON `budget_nodes` (`capability_id`,`customer_id`);