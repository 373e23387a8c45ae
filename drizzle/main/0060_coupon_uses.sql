CREATE TABLE `coupon_uses` (
	`environment_id` text NOT NULL,
	`application_id` text NOT NULL,
	`document_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`application_id`, `document_id`)
);
--> statement-breakpoint
CREATE INDEX `coupon_uses_document` ON `coupon_uses` (`environment_id`,`document_id`);--> statement-breakpoint
ALTER TABLE `coupons` ADD `duration_periods` integer;--> statement-breakpoint
ALTER TABLE `coupons` ADD `frequency` text;--> statement-breakpoint
ALTER TABLE `subscription_coupons` ADD `application_id` text;