CREATE TABLE `usage_event_days` (
	`environment_id` text NOT NULL,
	`day` integer NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
DELETE FROM usage_event_names;
--> statement-breakpoint
UPDATE usage_cursor SET named_to = 0;