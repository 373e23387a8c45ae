ALTER TABLE `charge_periods` ADD `usage_state` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `key` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `price_terms` text;--> statement-breakpoint
CREATE INDEX `charges_price_terms` ON `charges` (`environment_id`) WHERE price_terms IS NOT NULL;