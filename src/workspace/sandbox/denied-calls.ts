/**
 * System calls by number that commands have no use for and that attacks on the kernel begin with; the numbers are those of
 * linux/unistd.h, the choice that of the default filters of Docker and Flatpak, which refuse more without a capability.
 */
export type DeniedCalls = {
  /** AUDIT_ARCH_… of linux/audit.h. */
  audit: number;
  denied: readonly number[];
  socket: number;
  /** Refused when its flags, the first argument, ask for a namespace. */
  clone: number;
  /** Answered as if the kernel were too old for it: its flags are out of a filter's sight, and libraries fall back to `clone`. */
  clone3: number;
  ioctl: number;
  /** First number of the x32 calls. */
  foreignFrom: number | null;
};

export const deniedCalls: Readonly<Record<string, DeniedCalls>> = {
  x64: {
    audit: 0xc000003e,
    denied: [
      ...[248, 249, 250], // add_key request_key keyctl
      ...[425, 426, 427], // io_uring_setup io_uring_enter io_uring_register
      ...[323, 298, 321], // userfaultfd perf_event_open bpf
      ...[246, 320, 304], // kexec_load kexec_file_load open_by_handle_at
      ...[165, 166, 155, 161], // mount umount2 pivot_root chroot
      ...[428, 429, 430, 431, 432, 433, 442], // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
      ...[272, 308], // unshare setns
      ...[175, 176, 313], // init_module delete_module finit_module
      ...[103, 163, 167, 168, 169], // syslog acct swapon swapoff reboot
      ...[170, 171, 164, 227, 153], // sethostname setdomainname settimeofday clock_settime vhangup
      ...[179, 443, 212, 312], // quotactl quotactl_fd lookup_dcookie kcmp
      ...[237, 238, 239, 256, 279, 450], // mbind set_mempolicy get_mempolicy migrate_pages move_pages set_mempolicy_home_node
      ...[300, 447], // fanotify_init memfd_secret
      ...[154, 172, 173, 134, 180], // modify_ldt iopl ioperm uselib nfsservctl
    ],
    socket: 41,
    clone: 56,
    clone3: 435,
    ioctl: 16,
    foreignFrom: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    denied: [
      ...[217, 218, 219], // add_key request_key keyctl
      ...[425, 426, 427], // io_uring_setup io_uring_enter io_uring_register
      ...[282, 241, 280], // userfaultfd perf_event_open bpf
      ...[104, 294, 265], // kexec_load kexec_file_load open_by_handle_at
      ...[40, 39, 41, 51], // mount umount2 pivot_root chroot
      ...[428, 429, 430, 431, 432, 433, 442], // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
      ...[97, 268], // unshare setns
      ...[105, 106, 273], // init_module delete_module finit_module
      ...[116, 89, 224, 225, 142], // syslog acct swapon swapoff reboot
      ...[161, 162, 170, 112, 58], // sethostname setdomainname settimeofday clock_settime vhangup
      ...[60, 443, 18, 272], // quotactl quotactl_fd lookup_dcookie kcmp
      ...[235, 237, 236, 238, 239, 450], // mbind set_mempolicy get_mempolicy migrate_pages move_pages set_mempolicy_home_node
      ...[262, 447], // fanotify_init memfd_secret
    ],
    socket: 198,
    clone: 220,
    clone3: 435,
    ioctl: 29,
    foreignFrom: null,
  },
};
