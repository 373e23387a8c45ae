CREATE TABLE `transaction_prices` (
	`environment_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`price_id` text NOT NULL,
	`price` text NOT NULL,
	PRIMARY KEY(`environment_id`, `feature_id`, `price_id`),
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `usage_state` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `key` text;--> statement-breakpoint
ALTER TABLE `charges` ADD `price_terms` text;