ALTER TABLE `payment_methods` ADD `detached_at` integer;--> statement-breakpoint
ALTER TABLE `payment_methods` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `payment_methods_due` ON `payment_methods` (`due_at`) WHERE due_at IS NOT NULL;