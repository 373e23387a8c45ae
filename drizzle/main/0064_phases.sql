ALTER TABLE `package_versions` ADD `phases` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `phases` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `phase` text;