CREATE TABLE `subscription_dated_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`effective_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_dated_changes_subscription` ON `subscription_dated_changes` (`subscription_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `environments` ADD `books_closed_until` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `terms_changed_at` integer;