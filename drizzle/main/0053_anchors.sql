ALTER TABLE `customers` ADD `billing_anchor` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `cycle_anchor_at` integer;--> statement-breakpoint
ALTER TABLE `package_versions` ADD `billing_anchor` text;