CREATE TABLE `usage_event_names` (
	`id` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`event_name` text NOT NULL,
	`events` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`last_event` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_event_names_name` ON `usage_event_names` (`environment_id`,`event_name`);--> statement-breakpoint
CREATE INDEX `usage_event_names_seen` ON `usage_event_names` (`environment_id`,`id`);--> statement-breakpoint
ALTER TABLE `usage_cursor` ADD `corrected_to` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_cursor` ADD `named_to` integer DEFAULT 0 NOT NULL;