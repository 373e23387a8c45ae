CREATE TABLE `usage_alert_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluated_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reached_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`usage` text NOT NULL,
	`usage_limit` text,
	`period_start` integer NOT NULL,
	`period_end` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reached_alerts_once` ON `reached_alerts` (`alert_id`,`customer_id`,`resource_ref`,`period_start`,`type`,`threshold`);--> statement-breakpoint
CREATE INDEX `reached_alerts_page` ON `reached_alerts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `reached_alerts_of_customer` ON `reached_alerts` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `reached_alerts_of_feature` ON `reached_alerts` (`feature_id`,`id`);--> statement-breakpoint
CREATE TABLE `usage_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_alerts_once` ON `usage_alerts` (`environment_id`,`customer_id`,`feature_id`,`type`,`threshold`);--> statement-breakpoint
CREATE INDEX `usage_alerts_page` ON `usage_alerts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `usage_alerts_of_customer` ON `usage_alerts` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `usage_alerts_of_feature` ON `usage_alerts` (`feature_id`,`id`);