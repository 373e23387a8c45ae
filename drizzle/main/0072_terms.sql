ALTER TABLE `package_versions` ADD `term` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `term` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `running_term` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `uplifts` text;