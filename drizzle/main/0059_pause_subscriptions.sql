CREATE TABLE `subscription_pauses` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`prorates` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_pauses_subscription` ON `subscription_pauses` (`subscription_id`,`start_at`);--> statement-breakpoint
DROP INDEX `subscriptions_ends`;--> statement-breakpoint
DROP INDEX `subscriptions_running`;--> statement-breakpoint
DROP INDEX `subscriptions_running_resource`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pause` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `is_held` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_ends` ON `subscriptions` (`environment_id`,`runs_until`) WHERE runs_until IS NOT NULL AND status IN ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE', 'PAUSED');--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running` ON `subscriptions` (`customer_id`,`product_id`) WHERE status IN ('ACTIVE', 'PAUSED') AND resource_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running_resource` ON `subscriptions` (`customer_id`,`product_id`,`resource_id`) WHERE status IN ('ACTIVE', 'PAUSED') AND resource_id IS NOT NULL;