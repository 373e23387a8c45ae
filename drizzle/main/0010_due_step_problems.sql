ALTER TABLE `subscriptions` ADD `cancel_prorates` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `problem` text;--> statement-breakpoint
CREATE INDEX `subscriptions_problem` ON `subscriptions` (`environment_id`,`id`) WHERE problem IS NOT NULL;