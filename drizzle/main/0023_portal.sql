CREATE TABLE `checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`session_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`order` text NOT NULL,
	`options` text NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer,
	`subscription_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `checkouts_session` ON `checkouts` (`session_id`);--> statement-breakpoint
CREATE INDEX `checkouts_expiry` ON `checkouts` (`expires_at`);--> statement-breakpoint
CREATE INDEX `checkouts_customer` ON `checkouts` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `customer_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`customer_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`return_url` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_sessions_token_hash_unique` ON `customer_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `customer_sessions_expiry` ON `customer_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `customer_sessions_customer` ON `customer_sessions` (`customer_id`);--> statement-breakpoint
CREATE TABLE `portal_settings` (
	`product_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`change_plan` integer NOT NULL,
	`change_quantities` integer NOT NULL,
	`change_addons` integer NOT NULL,
	`cancel` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `brand_color` text;