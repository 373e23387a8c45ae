ALTER TABLE `charge_periods` ADD `settled` text;--> statement-breakpoint
ALTER TABLE `package_versions` ADD `commitments` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `commitments` text;