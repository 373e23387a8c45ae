ALTER TABLE `usage_events_by_hour` ADD `first_at` integer;--> statement-breakpoint
ALTER TABLE `usage_events_by_hour` ADD `last_at` integer;--> statement-breakpoint
ALTER TABLE `usage_events_by_hour_next` ADD `first_at` integer;--> statement-breakpoint
ALTER TABLE `usage_events_by_hour_next` ADD `last_at` integer;