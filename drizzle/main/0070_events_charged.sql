CREATE TABLE `highest_totals` (
	`subscription_id` text NOT NULL,
	`key` text NOT NULL,
	`starts_at` integer NOT NULL,
	`environment_id` text NOT NULL,
	`highest` text NOT NULL,
	`last_at` integer NOT NULL,
	`changes` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `key`, `starts_at`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `charges_at_event` ON `charges` (`environment_id`,`version_id`) WHERE price_terms ->> 'eventInvoicing' IS NOT NULL;