/**
 * The names of NetFlow v9 fields as Logstash writes them, with the form of their values. A line has the number of the first field,
 * then names with consecutive numbers. A letter after a colon is the form of the value; without one it is an unsigned integer.
 */
export const V9_FIELDS = `
1 in_bytes in_pkts flows protocol src_tos tcp_flags l4_src_port ipv4_src_addr:4 src_mask input_snmp l4_dst_port ipv4_dst_addr:4
13 dst_mask output_snmp ipv4_next_hop:4 src_as dst_as bgp_ipv4_next_hop:4 mul_dst_pkts mul_dst_bytes last_switched first_switched
23 out_bytes out_pkts min_pkt_length max_pkt_length ipv6_src_addr:6 ipv6_dst_addr:6 ipv6_src_mask ipv6_dst_mask ipv6_flow_label
32 icmp_type mul_igmp_type sampling_interval sampling_algorithm flow_active_timeout flow_inactive_timeout engine_type engine_id
40 total_bytes_exp total_pkts_exp total_flows_exp -:x ipv4_src_prefix:4 ipv4_dst_prefix:4 mpls_top_label_type mpls_top_label_ip_addr
48 flow_sampler_id flow_sampler_mode flow_sampler_random_interval -:x min_ttl max_ttl ipv4_ident dst_tos in_src_mac:m out_dst_mac:m
58 src_vlan dst_vlan ip_protocol_version direction ipv6_next_hop:6 bgp_ipv6_next_hop:6 ipv6_option_headers -:x -:x -:x -:x -:x
80 in_dst_mac:m out_src_mac:m if_name:s if_desc:s sampler_name:s in_permanent_bytes in_permanent_pkts
89 forwarding_status:f
94 application_description:s application_id:a application_name:s
98 postIpDiffServCodePoint
136 flow_end_reason
147 wlanSSID:s conn_id
152 flow_start_msec
176 icmp_type icmp_code icmp_type_ipv6 icmp_code_ipv6 udp_src_port udp_dst_port tcp_src_port tcp_dst_port
194 ip_tos ip_dscp
201 mpls_label_stack_octets:o
225 xlate_src_addr_ipv4:4 xlate_dst_addr_ipv4:4 xlate_src_port xlate_dst_port
231 fwd_flow_delta_bytes rev_flow_delta_bytes fw_event ingressVRFID egressVRFID VRFname:s
281 xlate_src_addr_ipv6:6 xlate_dst_addr_ipv6:6
298 initiatorPackets responderPackets
323 event_time_msec
361 postNATPortBlockStart postNATPortBlockEnd
365 staMacAddress:m staIPv4Address:4 wtpMacAddress:m
372 applicationCategoryName:s
8192 streamcore_wan_rtt streamcore_net_app_resp_time streamcore_total_app_resp_time streamcore_tcp_retrans_rate streamcore_call_direction
8256 streamcore_hostname:s streamcore_url:s streamcore_ssl_cn:s streamcore_ssl_org:s
8320 streamcore_mos_lq streamcore_net_delay streamcore_net_loss streamcore_net_jitter streamcore_net_discard streamcore_rtp_clockrate_in
8326 streamcore_rtp_clockrate_out streamcore_codec_in streamcore_codec_out
8384 streamcore_id_rule_1 streamcore_id_rule_2 streamcore_id_rule_3 streamcore_id_rule_4 streamcore_id_rule_5 streamcore_id_rule_6
8390 streamcore_id_rule_7 streamcore_id_rule_8 streamcore_id_rule_9 streamcore_id_rule_10
33000 ingress_acl_id:c egress_acl_id:c fw_ext_event
40000 username:s xlate_src_addr_ipv4:4 xlate_dst_addr_ipv4:4 xlate_src_port xlate_dst_port fw_event
56701 app_id:s user_id:s
57590 nprobe_proto nprobe_proto_name:s
`
