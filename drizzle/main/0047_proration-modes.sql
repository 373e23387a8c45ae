ALTER TABLE `environments` ADD `proration_mode` text DEFAULT 'BY_TIME' NOT NULL;--> statement-breakpoint
ALTER TABLE `charges` ADD `proration_mode` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `refunds_unused_time` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `package_versions` ADD `proration_mode` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `proration_mode` text;