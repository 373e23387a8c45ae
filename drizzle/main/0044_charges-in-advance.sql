ALTER TABLE `billing_charges` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `whole_starts_at` integer;--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `line_charge_id` text;--> statement-breakpoint
ALTER TABLE `charge_periods` ADD `left` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `charged_from` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `charged_currency` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `charged_minimum` text;