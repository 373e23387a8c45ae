ALTER TABLE `usage_postings` RENAME TO `usage_events_by_hour`;
--> statement-breakpoint
ALTER TABLE `usage_members` RENAME TO `usage_values`;
--> statement-breakpoint
ALTER TABLE `usage_cursor` RENAME COLUMN `posted_to` TO `counted_to`;
