ALTER TABLE `environments` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `time_zone_source` text DEFAULT 'ENVIRONMENT' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `billing_anchor` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `next_cycle` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `cycle_starts_at` integer;