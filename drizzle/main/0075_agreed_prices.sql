CREATE TABLE `agreed_prices` (
	`environment_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`price_id` text NOT NULL,
	`terms` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `feature_id`, `price_id`),
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
