CREATE INDEX `coupons_name_search` ON `coupons` (`environment_id`,name collate nocase);--> statement-breakpoint
CREATE INDEX `features_name_search` ON `features` (`environment_id`,display_name collate nocase);--> statement-breakpoint
CREATE INDEX `package_versions_name_search` ON `package_versions` (`environment_id`,display_name collate nocase);--> statement-breakpoint
CREATE INDEX `products_name_search` ON `products` (`environment_id`,display_name collate nocase);