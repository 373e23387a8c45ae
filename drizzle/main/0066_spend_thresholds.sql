CREATE TABLE `spend_check_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`read_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spend_checks` (
	`environment_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`next_due_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `next_due_at`)
);
--> statement-breakpoint
CREATE INDEX `spend_checks_due` ON `spend_checks` (`environment_id`,`next_due_at`);--> statement-breakpoint
ALTER TABLE `package_versions` ADD `spend_thresholds` text;--> statement-breakpoint
CREATE INDEX `package_versions_thresholds` ON `package_versions` (`environment_id`) WHERE spend_thresholds IS NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `spend_thresholds` text;--> statement-breakpoint
CREATE INDEX `subscriptions_thresholds` ON `subscriptions` (`environment_id`) WHERE spend_thresholds IS NOT NULL;